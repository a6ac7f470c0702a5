// A worker must answer before a watchdog barks; the length of the work is an input.
</ define barks: bark=1; define done: done=1; som(barks) -> som(done) />
</ define barks: bark=1; alw(!barks) />
</ define late: work>2; define barks: bark=1; fin(late -> barks) />
frame(work,left,done,bark,clock) and (
  int work and int left<==0,done<==0,bark<==0,clock<==0 and input(work) and skip;
  if(work<0 OR work>4) then {work:=4};
  left:=work;
  ( ( while(left>0) {left:=left-1}; done:=1 )
    ||
    ( while(clock<3 AND done=0) {clock:=clock+1}; if(done=0) then {bark:=1} ) )
)
