// Two philosophers and two forks. An input says whether the second is left-handed; if not, each may hold one for ever.
</ define a: eaten1=1; define b: eaten2=1; som(a) and som(b) />
</ define a: eating1=1; define b: eating2=1; alw(!(a and b)) />
</ define handed: lefthanded=1; define a: eaten1=1; alw(!handed) or som(a) />
frame(lefthanded,f1,f2,eating1,eating2,eaten1,eaten2) and (
  bool lefthanded and input(lefthanded) and
  int f1<==0,f2<==0,eating1<==0,eating2<==0,eaten1<==0,eaten2<==0 and skip;
  ( ( await(f1=0); f1:=1; skip; await(f2=0); f2:=1 and eating1:=1; eating1:=0 and eaten1:=1 and f1:=0 and f2:=0 )
    ||
    if(lefthanded=1) then {
      skip; skip;
      await(f1=0 AND eaten1=1); f1:=2; skip; await(f2=0); f2:=2 and eating2:=1; eating2:=0 and eaten2:=1 and f1:=0 and f2:=0
    } else {
      await(f2=0); f2:=2; skip; await(f1=0); f1:=2 and eating2:=1; eating2:=0 and eaten2:=1 and f1:=0 and f2:=0
    } )
)
