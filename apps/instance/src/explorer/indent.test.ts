import { expect, it } from 'vitest'
import { indentJson, indentXml } from './page/indent.js'

it('indents JSON without changing numbers and strings', () => {
  expect(indentJson('{"a":9007199254740993,"b":[],"c":[1.50,{"d":"x, \\"y\\": {"}]}')).toBe(
    '{\n  "a": 9007199254740993,\n  "b": [],\n  "c": [\n    1.50,\n    {\n      "d": "x, \\"y\\": {"\n    }\n  ]\n}',
  )
})

it('indents XML and keeps values on the lines of their elements', () => {
  const text =
    '<?xml version="1.0"?>\n<a x="1"><b>1 &lt; 2</b><c/><d> </d><e></e><f><g>\nlong\n</g></f><!-- <h> --></a>'
  expect(indentXml(text)).toBe(
    [
      '<?xml version="1.0"?>',
      '<a x="1">',
      '  <b>1 &lt; 2</b>',
      '  <c/>',
      '  <d> </d>',
      '  <e></e>',
      '  <f>',
      '    <g>\nlong\n</g>',
      '  </f>',
      '  <!-- <h> -->',
      '</a>',
    ].join('\n'),
  )
  expect(indentXml(indentXml(text))).toBe(indentXml(text))
})

it('indents truncated XML up to its end', () => {
  expect(indentXml('</a><b><c>text')).toBe('</a>\n<b>\n  <c>\n    text')
})
