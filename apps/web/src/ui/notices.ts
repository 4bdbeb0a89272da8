import { createStore } from 'zustand/vanilla'

/** 'warning': done, with something to check. */
export type NoticeKind = 'success' | 'warning' | 'error' | 'info'
export type Notice = {
  id: number
  kind: NoticeKind
  text: string
  action?: { label: string; run: () => void }
  stays?: Stays
  /** Whether the changes that it is about are still unsaved. */
  isUnsaved?: () => boolean
}

/** true: until dismissed. 'untilUsed': also removed by its action. */
type Stays = boolean | 'untilUsed'

export const noticeStore = createStore<{ notices: readonly Notice[]; next: number }>()(() => ({ notices: [], next: 1 }))

/** Shows a notice at the lower edge. `action` is a button in it, such as Undo. */
export function notify(
  kind: NoticeKind,
  text: string,
  action?: Notice['action'],
  { stays = false, ...rest }: Pick<Notice, 'stays' | 'isUnsaved'> = {},
): void {
  noticeStore.setState(({ notices, next }) => ({
    // A repeated text is shown once, but notices with different actions are kept.
    notices: [
      ...notices.filter(notice => notice.text !== text || (notice.action !== undefined && !notice.stays)),
      { id: next, kind, text, ...(action ? { action } : {}), ...(stays ? { stays } : {}), ...rest },
    ],
    next: next + 1,
  }))
}

/** Removes a notice that no longer applies. */
export function dismissText(text: string): void {
  noticeStore.setState(({ notices }) => ({ notices: notices.filter(notice => notice.text !== text) }))
}

/** Removes notices about unsaved changes that have been saved. */
export function dismissSaved(): void {
  noticeStore.setState(({ notices }) => ({ notices: notices.filter(({ isUnsaved }) => isUnsaved?.() ?? true) }))
}

export function dismiss(id: number): void {
  noticeStore.setState(({ notices }) => ({ notices: notices.filter(notice => notice.id !== id) }))
}
