-- Formulas as MathML without their TeX beside it and without what browsers take anyway, which makes a page of
-- mathematics smaller.
function Math(formula)
  if not pandoc.write then return nil end
  local html = pandoc.write(pandoc.Pandoc({pandoc.Plain({formula})}), "html", {html_math_method = "mathml"})
  local math, changed = html:gsub("<annotation.-</annotation>", "")
  if changed == 0 then return nil end
  local needless = {"</?semantics>", ' xmlns="[^"]*"', ' display="inline"', ' form="[^"]*"', ' stretchy="true"'}
  for _, part in ipairs(needless) do
    math = math:gsub(part, "")
  end
  math = math:gsub('<mtext mathvariant="normal">', "<mtext>")
  -- a row of one element without others in it
  math = math:gsub("<mrow>(<m[ino][^>]*>[^<]*</m[ino]>)</mrow>", "%1")
  return pandoc.RawInline("html", math)
end
