-- Formulas as MathML without their TeX beside it, which makes a page of mathematics smaller.
function Math(formula)
  if not pandoc.write then return nil end
  local html = pandoc.write(pandoc.Pandoc({pandoc.Plain({formula})}), "html", {html_math_method = "mathml"})
  local math, changed = html:gsub("<annotation.-</annotation>", "")
  if changed == 0 then return nil end
  math = math:gsub("</?semantics>", "")
  return pandoc.RawInline("html", math)
end
