# Base graphics for path-plot.R. A picture is one figure region cut into panels by par(plt = ),
# so it also fits into a layout of the user's.

path_colours <- list(
  feature = c("#1D3F5E", "#5B83A6", "#8FABC2"), source = c("#9A3403", "#E0701A", "#EBA15F"),
  thin = "#7A95AB", frame = "#8A8A8A", ink = "#333333", faint = "#E4E4E4",
  diverging = c("#2166AC", "#6BAED6", "#FFFFFF", "#F4A582", "#B2182B")
)

shades <- function(type, n) {
  grDevices::colorRampPalette(path_colours[[type]])(max(n, 3L))[seq_len(n)]
}

diverging_colour <- function(value, limit) {
  ramp <- grDevices::colorRampPalette(path_colours$diverging)(201L)
  ramp[round(100 * pmin(pmax(value / limit, -1), 1)) + 101L]
}

# ---- the drawing helper and its parts ----

# Inches of margin (bottom, left, top, right) and gaps -> par("plt") of each panel, row by row.
panel_boxes <- function(n_row, n_col, margin, gap = c(0, 0), call = NULL) {
  fin <- graphics::par("fin")
  width <- (fin[1L] - margin[2L] - margin[4L] - (n_col - 1) * gap[1L]) / n_col
  height <- (fin[2L] - margin[1L] - margin[3L] - (n_row - 1) * gap[2L]) / n_row
  if (width < .25 || height < .25) {
    abort_input("The figure is too small: {round(fin[1L], 1)} by {round(fin[2L], 1)} inches.",
                "device", i = "Use a larger device, or fewer panels with {.arg class}.",
                call = call)
  }
  lapply(seq_len(n_row * n_col), function(k) {
    row <- (k - 1) %/% n_col
    left <- margin[2L] + ((k - 1) %% n_col) * (width + gap[1L])
    top <- fin[2L] - margin[3L] - row * (height + gap[2L])
    c(left / fin[1L], (left + width) / fin[1L], (top - height) / fin[2L], top / fin[2L])
  })
}

# An empty panel in its place; `defaults` give way to the user's `dots`. Returns the settings.
draw_panel <- function(box, defaults, dots = list()) {
  base <- list(x = NA, y = NA, type = "n", axes = FALSE, ann = FALSE, xaxs = "i", yaxs = "r",
               xlab = "", ylab = "", main = "", las = 1, cex.axis = .8, cex.lab = .9, cex.main = 1)
  set <- utils::modifyList(utils::modifyList(base, defaults), dots)
  graphics::par(plt = box, new = TRUE)
  own <- list(type = "n", axes = FALSE, ann = FALSE, main_line = NULL)
  do.call(graphics::plot.default, utils::modifyList(set, own))
  set
}

draw_axis <- function(side, at, labels = TRUE, set, line = NA) {
  graphics::axis(
    side, at = at, labels = labels, las = set$las, cex.axis = set$cex.axis, line = line, col = NA,
    col.ticks = path_colours$frame, col.axis = path_colours$ink, tcl = -.25,
    mgp = c(3, if (side %in% c(1, 3)) .35 else .5, 0)
  )
}

draw_title <- function(set, main = TRUE, line = c(1.9, 2.9)) {
  ink <- path_colours$ink
  graphics::title(xlab = set$xlab, line = line[1L], cex.lab = set$cex.lab, col.lab = ink)
  graphics::title(ylab = set$ylab, line = line[2L], cex.lab = set$cex.lab, col.lab = ink)
  if (main && nzchar(set[["main"]] %||% "")) {
    graphics::mtext(set[["main"]], side = 3, line = set$main_line %||% .6, adj = 0, font = 2,
                    cex = set$cex.main * graphics::par("cex"), col = ink)
  }
}

draw_frame <- function(zero = FALSE) {
  usr <- graphics::par("usr")
  graphics::segments(usr[1L], graphics::axTicks(2), usr[2L], col = path_colours$faint)
  if (zero && usr[3L] < 0 && usr[4L] > 0) {
    graphics::segments(usr[1L], 0, usr[2L], col = path_colours$frame)
  }
}

draw_note <- function(text, cex = .9) {
  usr <- graphics::par("usr")
  graphics::text(mean(usr[1:2]), usr[3L] + .54 * (usr[4L] - usr[3L]), text, cex = cex,
                 col = path_colours$frame)
}

# Moves the values of `y` apart by `gap` at least, as little as possible, within `range`.
spread_labels <- function(y, gap, range) {
  n <- length(y)
  if (n == 0L) {
    return(y)
  }
  gap <- min(gap, diff(range) / max(n - 1L, 1L))
  rank <- order(y)
  shift <- gap * seq_len(n)
  free <- stats::isoreg(y[rank] - shift)$yf
  out <- numeric(n)
  out[rank] <- pmin(pmax(free, range[1L] - gap), range[2L] - gap * n) + shift
  out
}

# Names cut in the middle until they fit into `inches`.
fit_labels <- function(names, inches, cex) {
  for (keep in c(40L, 32L, 26L, 22L, 18L, 15L, 12L, 9L, 7L)) {
    short <- shorten(names, keep)
    if (max(0, label_width(short, cex)) <= inches) {
      break
    }
  }
  short
}

shorten <- function(names, keep) {
  n <- nchar(names)
  head <- ceiling((keep - 2) / 2)
  long <- n > keep
  names[long] <- paste0(substr(names[long], 1L, head), "..",
                        substring(names[long], n[long] - (keep - 3L - head)))
  names
}

# Inches between a panel and the names at its right.
leader <- function(cex) .23 * cex

label_width <- function(names, cex) graphics::strwidth(names, units = "inches", cex = cex)

# Names right of the panel, spread, each tied to the end of its line.
draw_labels <- function(x_end, y, names, col, cex) {
  if (!length(y)) return(invisible())
  usr <- graphics::par("usr")
  inch <- diff(usr[1:2]) / graphics::par("pin")[1L]
  gap <- 1.4 * graphics::strheight("Mg", cex = cex)
  at <- spread_labels(y, gap, usr[3:4])
  lead <- leader(cex) * inch
  graphics::segments(x_end + .3 * lead, y, usr[2L] + .8 * lead, at, col = col, lwd = .6, xpd = NA)
  graphics::text(usr[2L] + lead, at, names, adj = c(0, .5), cex = cex, col = col, xpd = NA)
}
