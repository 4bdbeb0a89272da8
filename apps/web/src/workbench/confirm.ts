import { createStore } from 'zustand/vanilla'
import type { DocumentRef } from './documents.ts'

export type Question = {
  title: string
  text: string
  lead?: string
  /** Lines below the text, for example other affected objects. */
  details?: readonly string[]
  /** The objects that are deleted with it and those that are not. */
  consequences?: readonly string[]
  /** Lines grouped under explanatory headings. */
  groups?: readonly QuestionGroup[]
  /** Folder of the object, if its name is ambiguous. */
  folder?: string
  /** Affected places under their own heading; following a link cancels the confirmation. */
  affected?: Affected
  /** An additional choice. `choose` is called on every change; `value` is the initial one. */
  choice?: QuestionChoice
  /** Null: nothing is to be decided; it is only closed. */
  confirmLabel: string | null
  /** Label of a third answer, such as Save; resolves to 'alternative'. */
  alternativeLabel?: string
  danger?: boolean
}
export type QuestionGroup = {
  heading: string
  note: string
  isDangerous: boolean
  parts: readonly { name: string; lines: readonly string[] }[]
}
/** `notes`: consequences for the affected places. */
export type Affected = { heading: string; links: readonly QuestionLink[]; notes: readonly string[] }
/** `tab`: the tab of the document to show. */
export type QuestionLink = { document: DocumentRef; note: string; tab?: string | undefined }
export type QuestionChoice = {
  label: string
  options: readonly { value: string; label: string }[]
  value: string
  choose: (value: string) => void
}
export type Answer = 'confirm' | 'alternative' | 'cancel'

type OpenQuestion = Question & { answer: (answer: Answer) => void }

export const questionStore = createStore<{ question: OpenQuestion | null }>()(() => ({ question: null }))

/** Shows a confirmation with up to three answers. An open confirmation is cancelled. */
export function ask(question: Question): Promise<Answer> {
  questionStore.getState().question?.answer('cancel')
  return new Promise(resolve => {
    const answer = (value: Answer) => {
      questionStore.setState({ question: null })
      resolve(value)
    }
    questionStore.setState({ question: { ...question, answer } })
  })
}

/** Shows a confirmation; resolves to true for yes. */
export async function confirm(question: Question): Promise<boolean> {
  return (await ask(question)) === 'confirm'
}
