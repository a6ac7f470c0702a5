// A crossing for ever: the main road is green longer, how much is an input.
</ define main: phase=0; define side: phase=2; alw(som(main)) and alw(som(side)) />
</ define go1: main=1; define go2: side=1; alw(!(go1 and go2)) />
</ define go2: side=1; som(alw(!go2)) />
frame(longer,phase,left,main,side) and (
  bool longer and input(longer) and int phase<==0,left<==0,main<==1,side<==0 and skip;
  while(true) {
    if(phase=0 AND left>0) then {left:=left-1}
    else { if(phase=0) then {phase:=1 and main:=0}
    else { if(phase=1) then {phase:=2 and side:=1}
    else { if(phase=2) then {phase:=3 and side:=0}
    else { if(longer=1) then {phase:=0 and main:=1 and left:=2} else {phase:=0 and main:=1 and left:=1} } } } }
  }
)
