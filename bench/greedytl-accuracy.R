part_accuracy <- function() "x"
