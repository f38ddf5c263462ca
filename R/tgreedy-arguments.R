# Arguments of tgreedy() that are seldom given, domains of one row, and errors and messages about a fit.

# Runs of neighbouring columns of zeros and ones with at most one 1 in a row, as numbers of columns. A run has three
# columns that sum to 1, or two or more that would meet in at least DUMMY_MEETINGS rows if they were independent: rare
# columns seldom meet, of one factor or not.
DUMMY_MEETINGS <- 10
