import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { endProblem, noFilter, toLogFilter, withStart } from './log-filter.ts'

describe('the date range of the audit logs', () => {
  it(
    'an empty end is set to the start, and a chosen one is unaffected by a new start',
    holds('M2.228', 'M5.63'),
    () => {
      const started = withStart(noFilter, '2026-03-02')
      expect(started).toMatchObject({ start: '2026-03-02', end: '2026-03-02' })
      expect(withStart(started, '2026-03-01')).toMatchObject({ start: '2026-03-01', end: '2026-03-02' })
    },
  )

  it('without a start there is no end', holds('M5.62'), () => {
    expect(withStart({ ...noFilter, start: '2026-03-01', end: '2026-03-02' }, '')).toEqual(noFilter)
  })

  it('an end before the start is a problem', holds('M5.64'), () => {
    const ending = (end: string) => endProblem({ ...noFilter, start: '2026-03-02', end })
    expect(ending('2026-03-01')).toBe('The end date is before the start date.')
    expect([ending('2026-03-02'), ending('2026-03-03'), ending('')]).toEqual([undefined, undefined, undefined])
  })

  it('a range includes both of its days, and an empty filter has no dates', holds('M2.227'), () => {
    const { startDate, endDate } = toLogFilter({ ...noFilter, start: '2026-03-02', end: '2026-03-03' })
    expect(new Date(startDate)).toEqual(new Date(2026, 2, 2))
    expect(new Date(endDate)).toEqual(new Date(new Date(2026, 2, 4).getTime() - 1))
    expect(toLogFilter(noFilter)).toEqual({ actionType: '', userName: '', startDate: '', endDate: '' })
  })
})
