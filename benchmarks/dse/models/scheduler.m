// Three tasks run on a coarser clock than the machine: each of their steps is projected onto one or two ticks.
</ define first: task=1; define second: task=2; alw(first -> som(second)) />
</ define first: task=1; define idle: task=0; (idle and len(2)) ; (first and skip) ; true />
</ define idle: task=0; fin(idle) />
frame(slow,tick,task) and (
  bool slow and input(slow) and int tick<==0,task<==0 and skip;
  ( if(slow=1) then { (len(2),len(2),len(2)) prj (task:=1; task:=2; task:=0) }
    else { (skip,skip,skip) prj (task:=1; task:=2; task:=0) } )
  || while(tick<3) { tick:=tick+1 }
)
