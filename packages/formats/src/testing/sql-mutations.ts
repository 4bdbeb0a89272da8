import type { Random } from './mutations.ts'

// Test helper: mutates scripts by whole words, so that the mutants get past the lexer to the parser.

const words =
  `CREATE TABLE ALTER ADD CONSTRAINT PRIMARY KEY UNIQUE FOREIGN REFERENCES CHECK DEFAULT NOT NULL ON DELETE CASCADE SET INDEX
  COMMENT IS IN BETWEEN AND OR LIKE ANY ARRAY CAST AS GENERATED IDENTITY AUTO_INCREMENT COLUMN IF EXISTS ONLY EXEC MODIFY USING WHERE
  ENUM TYPE DATE TIMESTAMP INTERVAL VARCHAR(10) NUMBER(1) INT JSON ( ) , ; . = < <= :: || + - * / [ ] '' 'x' "x" 1 0x 1e9 GO / DELIMITER
  @name {8} E'\\\\' $$ COPY FROM stdin REPLACE(a,'b','') INHERITS PARTITION`.split(/\s+/)

/** Replaces, removes, duplicates, swaps or truncates a few words of the script, and occasionally changes characters. */
export function mutateScript(script: string, random: Random): string {
  const parts = script.split(/(\s+|(?<=[(),;])|(?=[(),;]))/)
  for (let times = random(8); times >= 0; times -= 1) {
    const [at, other] = [random(parts.length), random(parts.length)]
    const change = random(7)
    if (change < 2) parts[at] = ` ${words[random(words.length)]} `
    else if (change < 3) parts[at] = ''
    else if (change < 4) parts.splice(at, 0, ...parts.slice(other, other + random(30)))
    else if (change < 5) [parts[at], parts[other]] = [parts[other] ?? '', parts[at] ?? '']
    else if (change < 6) parts.splice(at, random(30))
    else parts[at] = changedCharacters(parts[at] ?? '', random)
  }
  const text = parts.join('')
  return random(20) === 0 ? text.slice(0, random(text.length)) : text
}

const fragments = [
  '\0',
  '\ud800',
  '\u2028',
  '😀',
  '\\',
  "'",
  '"',
  '`',
  '[',
  ']',
  '-',
  '/*',
  '*/',
  '\ufeff',
  '$',
  '@',
  '#',
  '\r',
]

function changedCharacters(text: string, random: Random): string {
  const at = random(text.length + 1)
  return `${text.slice(0, at)}${fragments[random(fragments.length)]}${text.slice(at + random(2))}`
}
