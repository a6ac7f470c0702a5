// An elevator between the floors 0 and 3 serves one request.
</ define there: floor=wanted; define shut: door=0; fin(there and !shut) />
</ define shut: door=0; define moving: moving=1; alw(moving -> shut) />
</ define inside: floor>=0 AND floor<=3; alw(inside) />
</ define upstairs: floor>=2; alw(upstairs -> alw(upstairs)) />
</ define upstairs: floor>=3; alw(!upstairs) />
frame(wanted,floor,door,moving) and (
  int wanted and int floor<==1,door<==1,moving<==0 and input(wanted) and skip;
  if(wanted<0) then {wanted:=0} else { if(wanted>3) then {wanted:=3} };
  if(wanted!=floor) then {
    door:=0;
    moving:=1;
    while(floor!=wanted) { if(floor<wanted) then {floor:=floor+1} else {floor:=floor-1} };
    moving:=0;
    door:=1
  } else {skip}
)
