// A buffer with one place; the number of items is an input between 0 and 3.
</ define p: taken>made; alw(!p) />
</ define done: taken=n; fin(done) />
</ define full: full=1; alw(full -> som(!full)) />
</ define free: full=0; alw(free) />
frame(n,made,taken,full,item) and (
  int n and int made<==0,taken<==0,full<==0,item<==0 and input(n) and skip;
  if(n<0 OR n>3) then {n:=3};
  ( while(made<n) { await(full=0); item:=made+1 and made:=made+1 and full:=1 }
    ||
    while(taken<n) { await(full=1); taken:=item and full:=0 } )
)
