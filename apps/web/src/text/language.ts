import { foldService, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { EditorState, Extension } from '@codemirror/state'
import { blocksOf } from '@cadmus/model/text/blocks'
import { tags } from '@lezer/highlight'

type Place = { isInText: boolean; isInSettings: boolean; isFirst: boolean; depth: number }

const words = /^(project|table|enum|ref|note|indexes|checks|tablegroup|as)\b/i

const block = /^\s*(?:\}|(?:project|table|enum|ref|tablegroup)\b)/i

/** Colours of DBML, line by line. */
const dbml = StreamLanguage.define<Place>({
  startState: () => ({ isInText: false, isInSettings: false, isFirst: true, depth: 0 }),
  token(stream, place) {
    if (place.isInText) {
      if (stream.skipTo("'''")) {
        stream.match("'''")
        place.isInText = false
      } else stream.skipToEnd()
      return 'string'
    }
    if (stream.sol()) {
      place.isFirst = true
      // An open bracket ends at the next block.
      if (stream.match(block, false)) place.isInSettings = false
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match("'''")) {
      place.isInText = true
      return 'string'
    }
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string'
    if (stream.match(/^`[^`]*`?/)) return 'string'
    if (stream.match(/^-?\d+(\.\d+)?\b/)) return 'number'
    if (stream.match(/^[[\]{}(),:]/)) {
      place.isInSettings = stream.current() === '[' || (place.isInSettings && stream.current() !== ']')
      if (stream.current() === '{') place.depth += 1
      if (stream.current() === '}') place.depth = Math.max(0, place.depth - 1)
      return 'punctuation'
    }
    if (stream.match(/^[<>.-]/)) return 'punctuation'
    if (stream.match(words) && (place.isFirst || place.isInSettings)) {
      place.isFirst = false
      return 'keyword'
    }
    const isName = place.isFirst
    place.isFirst = false
    if (!stream.match(/^"(?:[^"\\]|\\.)*"?/) && !stream.match(/^[^\s[\]{}(),:<>.'"`-]+/)) stream.next()
    return place.isInSettings ? 'atom' : isName ? 'propertyName' : 'typeName'
  },
  indent: ({ depth }, textAfter, { unit }) => Math.max(0, depth - (textAfter.startsWith('}') ? 1 : 0)) * unit,
  languageData: {
    commentTokens: { line: '//' },
    closeBrackets: { brackets: ['(', '[', '{', "'", '"', '`'] },
    indentOnInput: /^\s*\}$/,
  },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--text)' },
  { tag: tags.atom, color: 'var(--key)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
])

const head = /^(?:project|table|enum|ref)\b.*\{\s*$/i

/** What folds below a line: the block that begins in it, without its last brace. Read on its own, because each key asks for lines in view. */
export function blockAt({ doc }: EditorState, start: number, end: number): { from: number; to: number } | null {
  if (!doc.sliceString(start, end).includes('{')) return null
  for (let line = doc.lineAt(end).number + 1; line <= doc.lines; line += 1) {
    const { text, to } = doc.line(line)
    if (head.test(text)) return null
    if (!text.includes('}')) continue
    const block = blocksOf(doc.sliceString(start, to)).find(({ from }) => start + from <= end)
    if (block) return { from: end, to: start + block.to - 1 }
  }
  return null
}

export const textLanguage: Extension = [dbml, syntaxHighlighting(colours), foldService.of(blockAt)]
