// A message over a channel that loses what its inputs say; after three attempts the sender gives up.
</ define few: attempts<=3; alw(few) />
</ define delivered: delivered=1; define given_up: given_up=1; fin((delivered and !given_up) or (given_up and !delivered)) />
</ define delivered: delivered=1; som(delivered) />
</ define delivered: delivered=1; define sent: attempts>=1; (!delivered) U sent />
frame(lost,attempts,delivered,given_up) and (
  bool lost and int attempts<==0,delivered<==0,given_up<==0 and skip;
  while(delivered=0 AND given_up=0) {
    input(lost) and attempts:=attempts+1;
    if(lost=0) then {delivered:=1}
    else { if(attempts=3) then {given_up:=1} else {skip} }
  }
)
