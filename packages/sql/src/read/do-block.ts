import type { Context } from './context.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Words that do not begin a statement of their own. */
const skippedWords = new Set('BEGIN END THEN ELSE LOOP NULL'.split(' '))
const conditions = new Set('IF ELSIF ELSEIF WHEN WHILE FOR'.split(' '))
const withoutEffect = new Set('RAISE PERFORM RETURN NULL CONTINUE EXIT'.split(' '))

/** The contents of a block that PostgreSQL runs at once; null for anything but a dollar-quoted text. */
export function blockOf({ cursor }: Context): readonly [from: number, to: number] | null {
  while (!isEnd(cursor.peek()) && cursor.peek().kind !== 'text') cursor.take()
  const { kind, at, end, value } = cursor.peek()
  const tag = (end - at - value.length) / 2
  return kind === 'text' && tag >= 2 ? [at + tag, end - tag] : null
}

/** Reads the statements of a block, whatever their conditions, up to its exceptions. */
export function readBlock(context: Context, read: (context: Context, start: Token) => void): void {
  const { cursor } = context
  for (let token = cursor.peek(); token.kind !== 'end'; token = cursor.peek()) {
    cursor.take()
    // `END IF`
    if (token.upper === 'END' && !isEnd(cursor.peek())) cursor.take()
    if (isEnd(token) || skippedWords.has(token.upper)) continue
    if (conditions.has(token.upper)) skipTo(context, ['THEN', 'LOOP'])
    else if (token.upper === 'DECLARE') skipTo(context, ['BEGIN'])
    else if (token.upper === 'EXCEPTION') skipTo(context, ['END'])
    else {
      if (!withoutEffect.has(token.upper) && !isAssignment(context)) read(context, token)
      cursor.skipStatement()
    }
  }
}

/** `name := …` and `name = …`, after the name. */
function isAssignment({ cursor }: Context): boolean {
  return cursor.isSign('=') || (cursor.isSign(':') && isSign(cursor.peek(1), '='))
}

function skipTo({ cursor }: Context, words: readonly string[]): void {
  while (cursor.peek().kind !== 'end' && !cursor.isWord(...words)) cursor.take()
}
