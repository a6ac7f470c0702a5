// A run can fail: a violation before the failure counts, and nothing holds of runs that fail.
</ define small: q<=10; alw(small) />
</ define neg: d<0; alw(!neg) />
frame(d,q) and (
  int d and int q<==0 and input(d) and skip;
  q:=10/d
)
