// Two processes take turns; an input decides who begins.
</ define a: inside1=1; define b: inside2=1; alw(!(a and b)) />
</ define a: inside1=1; define b: inside2=1; som(a) and som(b) />
</ define a: inside1=1; define b: inside2=1; (!b) U a />
frame(first,turn,inside1,inside2) and (
  bool first and input(first) and int turn<==0,inside1<==0,inside2<==0 and skip;
  turn:=1+first;
  ( ( await(turn=1); inside1:=1; inside1:=0 and turn:=2;
      await(turn=1); inside1:=1; inside1:=0 and turn:=2 )
    ||
    ( await(turn=2); inside2:=1; inside2:=0 and turn:=1;
      await(turn=2); inside2:=1; inside2:=0 and turn:=1 ) )
)
