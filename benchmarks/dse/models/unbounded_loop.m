// As many ways as there are inputs: nothing can be concluded from finitely many of them, unless one is wrong.
</ define p: i<=n OR i=0; alw(p) />
</ define p: i<3; alw(p) />
frame(n,i) and (
  int n and int i<==0 and input(n) and skip;
  while(i<n) {i:=i+1}
)
