// A token goes round three nodes for ever; an input says who has it first and which way it goes.
</ define one: token=1; define two: token=2; define three: token=3; alw(som(one)) and alw(som(two)) and alw(som(three)) />
</ define one: token=1; define two: token=2; alw(one -> (empty or next(next(two)))) />
</ define there: token>=1 AND token<=3; len(1) ; alw(there) />
frame(start,back,token) and (
  int start and bool back and int token<==0 and input(start) and input(back) and skip;
  if(start<=1) then {token<==1 and skip} else { if(start=2) then {token<==2 and skip} else {token<==3 and skip} };
  while(true) {
    if(back=1) then { if(token=1) then {token:=3} else {token:=token-1} }
    else { if(token=3) then {token:=1} else {token:=token+1} }
  }
)
