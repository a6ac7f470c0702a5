// The example of section 2.2 of the paper: two conditionals, four ways.
</ define a: z=6; define b: x+y=11 OR x-y=9; fin(a -> b) />
</ define a: z=6; define b: x+y=11; fin(a -> b) />
frame(x,y,z) and (
  int x,y,z and
  input(x) and
  input(y) and skip;
  if(x<y) then {
    x:=x+3 and z:=x+y
  } else {
    x:=x+3 and z:=x-y
  };
  if(z=6) then {
    x:=x+1 and y:=y+1
  } else {
    x:=x-1 and y:=y-1
  }
)
