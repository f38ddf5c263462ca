# Variances of several domains shrunk towards each other (Smyth 2004).

# The model of each row of s2 is s2_t ~ s0^2 F(df_t, d0), with degrees of freedom that differ, see moderate_by_df() in
# src/data/moderate.h. Returns s2, (d0 s0^2 + df_t s_t^2)/(d0 + df_t), and d0.
tlcp_moderation_of_variances <- function(s2, df) .Call(C_moderated, s2, as.double(df))
