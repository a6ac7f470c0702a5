// A counter between 0 and 2; four inputs push it up or down.
</ define inside: c>=0 AND c<=2; alw(inside) />
</ define top: c=2; alw(!top) />
</ define top: c=2; define up: up=1; som(top) -> som(up) />
frame(up,c,i) and (
  bool up and int c<==0,i<==0 and skip;
  while(i<4) {
    input(up) and skip;
    if(up=1) then { if(c<2) then {c:=c+1} else {skip} }
    else { if(c>0) then {c:=c-1} else {skip} };
    i:=i+1
  }
)
