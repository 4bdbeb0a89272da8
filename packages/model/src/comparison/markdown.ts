import { visibleText } from '../display.ts'

/** Text whose characters have no meaning in Markdown, on one line. */
export function plainMarkdown(text: string): string {
  return visibleText(text)
    .trim()
    .replace(/[\\`*_[\]{}<>&|~#!$^=@]/g, String.raw`\$&`)
    .replace(/:(?=\/\/)/g, String.raw`\:`)
    .replace(/\bwww\./gi, String.raw`www\.`)
    .replace(/^[-+]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
}

/** A name or value as a code span on one line. */
export function codeMarkdown(text: string): string {
  const shown = visibleText(text)
  const fence = '`'.repeat(longestRun(shown) + 1)
  const isPadded = shown.trim() === '' || /^[` ]|[` ]$/.test(shown)
  return isPadded ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`
}

/** Lines of code as a block, which ends only at its end. */
export function codeBlockMarkdown(code: string, language: string): string {
  const shown = visibleText(code, { lines: true })
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1))
  return `${fence}${language}\n${shown}\n${fence}`
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
}
