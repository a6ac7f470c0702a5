"""`pincer serve`: a page on this machine where programs are edited and checked."""
