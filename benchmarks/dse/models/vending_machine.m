// Coffee for two coins, tea for one; which of them is served when both could be is left open.
</ define gift: worth>paid; alw(!gift) />
</ define coffee: served=2; define tea: served=1; fin(coffee or tea) />
</ define coffee: served=2; alw(!coffee) />
</ define fair: worth=paid; fin(fair) />
frame(coin,paid,served,worth) and (
  bool coin and int paid<==0,served<==0,worth<==0 and skip;
  input(coin) and skip;
  paid:=paid+1+coin;
  if(paid=2) then { (served:=2 and worth:=2) or (served:=1 and worth:=1) }
  else { served:=1 and worth:=1 }
)
