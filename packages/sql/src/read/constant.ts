import type { Expression } from './expression.ts'

/** A value that a script spells out. Numbers are texts, bytes hexadecimal digits, bits binary ones. */
export type Constant =
  | { readonly kind: 'text' | 'number' | 'bytes' | 'bits' | 'date' | 'time' | 'timestamp'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** The value of an expression that has one wherever it is asked for: a literal, or a text put together of some; null otherwise. */
export function constantOf(expression: Expression): Constant | null {
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'bytes':
    case 'bits':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'boolean':
      return expression
    case 'negative':
      return negative(constantOf(expression.part))
    case 'join':
      return joined(expression.parts)
    case 'call':
      return functions[expression.name]?.(expression.parts) ?? null
    default:
      return null
  }
}

/** The same as a column of bits has it, or one of texts in MySQL. */
export function asHeld(
  constant: Constant,
  { isOfBits, isOfTexts }: { isOfBits: boolean; isOfTexts: boolean },
): Constant {
  if (constant.kind === 'bytes' && isOfBits) return { kind: 'bits', value: bitsOf(constant.value) }
  if (!isOfTexts || isOfBits) return constant
  return (
    textOfBytes(constant.kind === 'bits' ? { kind: 'bytes', value: bytesOf(constant.value) } : constant) ?? constant
  )
}

/** The bits of hexadecimal digits. */
export function bitsOf(digits: string): string {
  return digits.replace(/[^]/g, digit => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
}

/** The bytes that bits are; those of the first are filled up. */
export function bytesOf(bits: string): string {
  const whole = bits.padStart(Math.ceil(bits.length / 8) * 8, '0')
  return whole.replace(/.{4}/g, four => Number.parseInt(four, 2).toString(16))
}

type Function = (parts: readonly Expression[]) => Constant | null

const functions: Readonly<Record<string, Function | undefined>> = {
  CONCAT: joined,
  CHR: character,
  CHAR: character,
  NCHAR: character,
  // What bytes are converted to is a text.
  CONVERT: ([part]) => textOfBytes(part && constantOf(part)),
  REPLACE: replaced,
  TO_BINARY_DOUBLE: ([part]) => asNumber(part && constantOf(part)),
  HEXTORAW: ([part]) => asBytes(part && constantOf(part)),
  DECODE: ([part, form]) => (form && textOf(form)?.toLowerCase() === 'hex' ? asBytes(part && constantOf(part)) : null),
  UNHEX: ([part]) => asBytes(part && constantOf(part)),
  EMPTY_BLOB: () => ({ kind: 'bytes', value: '' }),
}

function textOf(expression: Expression): string | undefined {
  const constant = constantOf(expression)
  return constant?.kind === 'text' ? constant.value : undefined
}

function negative(constant: Constant | null): Constant | null {
  if (constant?.kind !== 'number') return null
  return { kind: 'number', value: constant.value.startsWith('-') ? constant.value.slice(1) : `-${constant.value}` }
}

function joined(parts: readonly Expression[]): Constant | null {
  const texts: string[] = []
  for (const part of parts) {
    const text = textOf(part)
    if (text === undefined) return null
    texts.push(text)
  }
  return { kind: 'text', value: texts.join('') }
}

function character([part]: readonly Expression[]): Constant | null {
  const code = part && constantOf(part)
  if (code?.kind !== 'number' || !/^\d{1,7}$/.test(code.value) || Number(code.value) > 0x10ffff) return null
  return { kind: 'text', value: String.fromCodePoint(Number(code.value)) }
}

/** A replacement that makes the text longer could make it endless, many in one another. */
function replaced(parts: readonly Expression[]): Constant | null {
  const [text, from, to] = parts.map(textOf)
  if (text === undefined || !from || to === undefined || to.length > from.length) return null
  return { kind: 'text', value: text.replaceAll(from, () => to) }
}

function asNumber(constant: Constant | null | undefined): Constant | null {
  return constant?.kind === 'text' || constant?.kind === 'number' ? { kind: 'number', value: constant.value } : null
}

function asBytes(constant: Constant | null | undefined): Constant | null {
  return constant?.kind === 'text' ? { kind: 'bytes', value: constant.value } : null
}

function textOfBytes(constant: Constant | null | undefined): Constant | null {
  if (constant?.kind !== 'bytes') return constant ?? null
  const bytes = Uint8Array.from(constant.value.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  return { kind: 'text', value: new TextDecoder().decode(bytes) }
}
