"""Evidence for programs with threads: schedules as data, their replay in compiled code, and how others read them."""
