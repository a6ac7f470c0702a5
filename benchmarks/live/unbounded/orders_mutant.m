// Orders of any size are worked off one after the other; how much was done at all grows for ever. Changed so that an order grows while it is worked on.
// violated: []({left>0} -> <>{left<=0})
frame(left,done) and (
  int left<==0 and int done<==0 and skip;
  while(true) {
    input(left) and skip;
    while(left>0) { left:=left+1 and done:=done+1 };
    done:=done+1
  }
)
