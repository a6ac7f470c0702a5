// A cooler with a door: it must not run while the door is open. The program forgets to look at the door; with
// `if(degrees>8 AND door=0)` the property holds for all inputs.
</
  define closed: door=0;
  define running: cooling=1;
  alw(running -> closed)
/>
frame(degrees,door,cooling) and (
  int degrees<==0,door<==0,cooling<==0 and skip;
  input(degrees) and input(door) and skip;
  if(degrees>8) then {cooling:=1} else {skip};
  skip
)
