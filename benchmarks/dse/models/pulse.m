// A signal that is on in every second state, which no formula of linear temporal logic can say of these states alone.
</ define on: x=1; skip ; (on and len(2))* ; (empty or (skip and fin(!on))) />
</ define on: x=1; (on and len(2))* />
</ define on: x=1; alw(on) />
frame(x,n,count) and (
  bool n and int x<==1,count<==0 and input(n) and skip;
  while(count<2+n) { x:=0; x:=1 and count:=count+1 };
  if(n=1) then {x:=0}
)
