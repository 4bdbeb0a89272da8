import { isVisible, labelOf, pressCommand, whyDisabled, type Choice, type Command } from '../../commands/command.ts'
import type { AppContext, Target } from '../../commands/context.ts'
import { synonymsOf } from '../../commands/synonyms.ts'
import { bestFit, fitOf, wordStart, type Fit } from './palette-match.ts'

/** A document whose commands are found by a text that names the document and the command. */
export type Subject = Extract<Target, { kind: 'entity' | 'manifest' }>

export type VerbLine = { id: string; label: string; detail: string; fit: Fit; run: () => void }

/** Maximum number of documents whose commands are compared with the text. */
const maxSubjects = 20

/** Commands on documents, for a text that names both: 'shop export postgres', 'delete order'. */
export function verbLines(
  typed: string,
  subjects: readonly Subject[],
  commands: readonly Command<AppContext>[],
  context: AppContext,
): VerbLine[] {
  const words = typed.trim().toLowerCase().split(/\s+/)
  if (words.length < 2) return []
  return subjects
    .flatMap(subject => {
      const others = words.filter(word => !matches(fitOf(subject.name, word)))
      return others.length > 0 && others.length < words.length ? [{ subject, others }] : []
    })
    .slice(0, maxSubjects)
    .flatMap(({ subject, others }) => linesOf(subject, others, commands, { ...context, target: subject }))
}

function linesOf(
  subject: Subject,
  words: readonly string[],
  commands: readonly Command<AppContext>[],
  context: AppContext,
): VerbLine[] {
  return commands
    .filter(command => isVisible(command, context) && whyDisabled(command, context) === false)
    .flatMap(command => {
      const label = [command.submenu ?? '', labelOf(command, context)].join(' ').trim()
      const fitOfWords = (some: readonly string[]) =>
        some.length === 0 ? 0 : bestFit(label, synonymsOf(command.id), some.join(' '))
      const line = (text: string, fit: Fit, run: () => void): VerbLine[] =>
        matches(fit)
          ? [
              {
                id: `verb:${subject.kind}:${subject.id}:${command.id}:${text}`,
                label: `${subject.name}: ${text}`,
                detail: subject.path,
                fit,
                run,
              },
            ]
          : []
      const ofChoices = (command.choices ?? []).flatMap(choice => {
        const others = words.filter(word => !isNamed(choice, word))
        if (others.length === words.length) return []
        return line(`${label} ${choice.label}`, fitOfWords(others), () => choice.run(context))
      })
      return ofChoices.length > 0 ? ofChoices : line(label, fitOfWords(words), () => pressCommand(command, context))
    })
}

function isNamed({ label, words }: Choice<AppContext>, word: string): boolean {
  return [label, ...words].some(text => matches(fitOf(text, word)))
}

/** Accepts words and their beginnings only: other fits would match too much. */
function matches(fit: Fit): boolean {
  return fit !== null && fit < wordStart + 1
}
