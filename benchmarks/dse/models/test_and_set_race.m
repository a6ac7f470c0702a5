// Two processes look at a lock and take it one state later: both may find it free. The inputs are their delays.
</ define a: inside1=1; define b: inside2=1; alw(!(a and b)) />
</ define a: inside1=1; som(a) />
frame(d1,d2,lock1,lock2,inside1,inside2) and (
  bool d1,d2 and input(d1) and input(d2) and int lock1<==0,lock2<==0,inside1<==0,inside2<==0 and skip;
  ( ( len(2*d1); await(lock2=0); lock1:=1; inside1:=1; skip; inside1:=0 and lock1:=0 )
    ||
    ( len(2*d2); await(lock1=0); lock2:=1; inside2:=1; skip; inside2:=0 and lock2:=0 ) )
)
