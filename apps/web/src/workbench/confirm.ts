import { createStore } from 'zustand/vanilla'
import type { DocumentRef } from './documents.ts'

/** A question before something that cannot be taken back. */
export type Question = {
  title: string
  text: string
  /** What the lines below are. */
  lead?: string
  /** Lines below the text, such as what else is affected. */
  details?: readonly string[]
  /** What goes with it and what stays, below the lines. */
  consequences?: readonly string[]
  /** Lines by what they are about, each group of them under a heading that says what they mean. */
  groups?: readonly QuestionGroup[]
  /** Where what the only line names lives: there may be another one of that name. */
  folder?: string
  /** Places that are affected, under a heading of their own; a press opens one and leaves the question unanswered. */
  affected?: Affected
  /** What else the answer says. `choose` is told each choice; `value` stands until then. */
  choice?: QuestionChoice
  confirmLabel: string
  /** A third answer, such as Save; answered as 'alternative'. */
  alternativeLabel?: string
  danger?: boolean
}
export type QuestionGroup = {
  heading: string
  note: string
  isDangerous: boolean
  parts: readonly { name: string; lines: readonly string[] }[]
}
/** `notes`: what becomes of them. */
export type Affected = { heading: string; links: readonly QuestionLink[]; notes: readonly string[] }
/** `tab`: in which of its parts. */
export type QuestionLink = { document: DocumentRef; note: string; tab?: string | undefined }
export type QuestionChoice = {
  label: string
  options: readonly { value: string; label: string }[]
  value: string
  choose: (value: string) => void
}
export type Answer = 'confirm' | 'alternative' | 'cancel'

type Asked = Question & { answer: (answer: Answer) => void }

export const questionStore = createStore<{ asked: Asked | null }>()(() => ({ asked: null }))

/** Asks with all three answers. A question that is still open counts as cancelled. */
export function ask(question: Question): Promise<Answer> {
  questionStore.getState().asked?.answer('cancel')
  return new Promise(resolve => {
    const answer = (given: Answer) => {
      questionStore.setState({ asked: null })
      resolve(given)
    }
    questionStore.setState({ asked: { ...question, answer } })
  })
}

/** Asks; true for yes. */
export async function confirm(question: Question): Promise<boolean> {
  return (await ask(question)) === 'confirm'
}
