import { createStore } from 'zustand/vanilla'

/** 'warning': done, and something of it is to be looked at. */
export type NoticeKind = 'success' | 'warning' | 'error' | 'info'
export type Notice = {
  id: number
  kind: NoticeKind
  text: string
  action?: { label: string; run: () => void }
  stays?: Stays
}

/** Until somebody dismisses it, or does what it offers too. */
type Stays = boolean | 'untilUsed'

/** The messages that are shown, oldest first. */
export const noticeStore = createStore<{ notices: readonly Notice[]; next: number }>()(() => ({ notices: [], next: 1 }))

/** Shows a message at the lower edge. `action` is a button in it, such as Undo. */
export function notify(
  kind: NoticeKind,
  text: string,
  action?: Notice['action'],
  { stays = false }: { stays?: Stays } = {},
): void {
  noticeStore.setState(({ notices, next }) => ({
    // The same words twice say no more than once; what can be done about one of two things cannot be done about the other.
    notices: [
      ...notices.filter(notice => notice.text !== text || (notice.action !== undefined && !notice.stays)),
      { id: next, kind, text, ...(action ? { action } : {}), ...(stays ? { stays } : {}) },
    ],
    next: next + 1,
  }))
}

/** Takes back a message that no longer holds. */
export function unsay(text: string): void {
  noticeStore.setState(({ notices }) => ({ notices: notices.filter(notice => notice.text !== text) }))
}

export function dismiss(id: number): void {
  noticeStore.setState(({ notices }) => ({ notices: notices.filter(notice => notice.id !== id) }))
}
