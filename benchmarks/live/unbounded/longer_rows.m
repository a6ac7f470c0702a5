// Rows of seats are filled one after the other, each longer than the last: no state comes twice.
// holds: []<>{seat=1}
// holds: []{seat<=row}
// violated: <>{row<1}
frame(row,seat) and (
  int row<==1 and int seat<==1 and skip;
  while(row>0) {
    if(seat<row) then { seat:=seat+1 }
    else { row:=row+1 and seat:=1 }
  }
)
