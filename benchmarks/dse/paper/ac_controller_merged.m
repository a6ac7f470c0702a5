// The controller with declaration and input in one state: this gives the tree of the paper's Fig. 5.
</ define p: is_room_hot=1; define q: is_door_closed=1; define r: ac=1; len(2);alw((p and q)->r) />
frame(is_room_hot,is_door_closed,ac) and
( int is_room_hot<==1,is_door_closed<==1,ac<==1 and skip;
  function main (){
    frame(main_message) and
    ( int main_message and input(main_message) and skip;
      if(main_message=1) then (is_room_hot:=0) else {skip};
      if(main_message=2) then (is_door_closed:=0) else {skip};
      if(main_message=3) then {ac:=0} else {skip} )
  };
  main()
)
