part_pieces <- function() character()
