import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { syntaxFault } from './json-syntax.ts'

const faultText = (text: string) => {
  const fault = syntaxFault(text)
  return fault && `${fault.cause} (${fault.line}:${fault.column})`
}

it('reports position and cause of the first JSON syntax error', () => {
  expect(faultText('{\n  "a": [1, 2}\n}')).toBe("Expected ',' or ']' (2:13)")
  expect(faultText('{"a": 1')).toBe("Expected '}' before the end (1:8)")
  expect(faultText('[\r\n1,\r\n]')).toBe("Expected no ',' before ']' (3:1)")
  expect(faultText('{"a": 1,}')).toBe("Expected no ',' before '}' (1:9)")
  expect(faultText("{'a': 1}")).toBe('Expected a key in double quotes (1:2)')
  expect(faultText('{"a" 1}')).toBe("Expected ':' after the key (1:6)")
  expect(faultText('{"a": }')).toBe('Expected a value (1:7)')
  expect(faultText('')).toBe('Expected a value (1:1)')
  expect(faultText('[01]')).toBe('Expected a value (1:2)')
  expect(faultText('"a')).toBe('Expected a double quote at the end of the text (1:3)')
  expect(faultText(String.raw`"a\x"`)).toBe('Expected an escape that JSON knows (1:3)')
  expect(faultText('"a\nb"')).toBe('Expected no line break, tab or other control character in a text (1:3)')
  expect(faultText('1 2')).toBe('Expected nothing after the value (1:3)')
})

it('agrees with JSON.parse on arbitrary text and on JSON with one changed character', () => {
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const agrees = (text: string) => {
    expect([text, syntaxFault(text) === undefined]).toEqual([text, parses(text)])
  }
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\/1.0e-+utrnfalse \n\t') }), agrees))
  fc.assert(fc.property(fc.json(), agrees))
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 1 }), (text, where, sign) => {
      const at = where % (text.length + 1)
      agrees(text.slice(0, at) + sign + text.slice(at + 1))
    }),
  )
})
