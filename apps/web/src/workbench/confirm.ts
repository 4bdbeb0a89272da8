import { createStore } from 'zustand/vanilla'

/** A question before something that cannot be taken back. */
export type Question = {
  title: string
  text: string
  /** Lines below the text, such as what else is affected. */
  details?: readonly string[]
  confirmLabel: string
  /** A third answer, such as Save; answered as 'alternative'. */
  alternativeLabel?: string
  danger?: boolean
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
