import { beforeEach, expect, it, vi } from 'vitest'
import { noticeStore, notify } from './notices.ts'
import { returnInput } from './return-input.ts'

beforeEach(() => noticeStore.setState({ notices: [] }))

it('a notice with the same text is shown once', () => {
  notify('error', 'It is away.')
  notify('error', 'It is away.')
  expect(noticeStore.getState().notices).toHaveLength(1)
})

it('notices with actions are kept for each of two documents or versions with equal texts', () => {
  const undone = [vi.fn(), vi.fn()]
  for (const run of undone) notify('info', 'Discarded the changes of Order.', { label: 'Undo', run })
  for (const { action } of noticeStore.getState().notices) action?.run()
  expect(undone.map(run => run.mock.calls.length)).toEqual([1, 1])
})

it('the same returned text is shown once', () => {
  for (const run of [vi.fn(), vi.fn()])
    notify('error', '"9 lives" was not taken.', { label: 'Copy', run }, { stays: true })
  expect(noticeStore.getState().notices).toHaveLength(1)
})

it('returned input is shown until dismissed, but not the text of a secret', () => {
  returnInput('9 lives', 'Name', 'too many.')
  returnInput('hush', 'Password', 'too short.', { hidden: true })
  const stays = true
  expect(noticeStore.getState().notices).toMatchObject([
    { text: '"9 lives" was not applied to Name: too many.', action: { label: 'Copy' }, stays },
    { text: 'Your input was not applied to Password: too short.', action: { label: 'Copy' }, stays },
  ])
})
