// Bubble sort of four inputs.
</ define s1: a[0]<=a[1]; define s2: a[1]<=a[2]; define s3: a[2]<=a[3]; fin(s1 and s2 and s3) />
</ define s1: a[0]<=a[1]; define s2: a[1]<=a[2]; define s3: a[2]<=a[3]; len(4) ; alw(s1 and s2 and s3) />
</ define largest: a[3]>=a[0]; fin(largest) />
frame(a,i,n) and (
  int a[4] and int i<==0,n<==3 and input(a[0]) and input(a[1]) and input(a[2]) and input(a[3]) and skip;
  while(n>0) {
    i:=0;
    while(i<n) {
      if(a[i]>a[i+1]) then {a[i]:=a[i+1] and a[i+1]:=a[i] and i:=i+1} else {i:=i+1}
    };
    n:=n-1
  }
)
