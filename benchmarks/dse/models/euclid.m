// The greatest common divisor of 12 and an input between 1 and 8, by subtraction, in a function of its own.
</ define divides: 12-12/g*g=0 AND y0-y0/g*g=0; fin(divides) />
</ define positive: x>0 AND y>0; alw(positive) />
</ define one: g=1; fin(!one) />
function gcd(int a, int b, int RValue) {
  frame(p,q) and (
    int p<==a,q<==b and skip;
    while(p!=q) { if(p>q) then {p:=p-q} else {q:=q-p} };
    RValue:=p
  )
};
frame(x,y,y0,g) and (
  int x<==12,y0<==1,g<==1 and int y and input(y) and skip;
  if(y<1 OR y>8) then {y:=8};
  if(y=1) then {y<==1 and skip} else { if(y=2) then {y<==2 and skip} else { if(y=3) then {y<==3 and skip}
  else { if(y=4) then {y<==4 and skip} else { if(y=5) then {y<==5 and skip} else { if(y=6) then {y<==6 and skip}
  else { if(y=7) then {y<==7 and skip} else {y<==8 and skip} } } } } } };
  y0:=y;
  g:=gcd(x,y,RValue)
)
