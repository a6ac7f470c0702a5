// Goods come in whenever somebody brings them, and go out only if there are some.
// holds: []{taken<=brought}
// violated: []<>{taken<brought}
frame(brought,taken,comes) and (
  int brought<==0 and int taken<==0 and char comes and skip;
  while(true) {
    input(comes) and
    if(comes>0) then { brought:=brought+1 }
    else { if(taken<brought) then { taken:=taken+1 } else { skip } }
  }
)
