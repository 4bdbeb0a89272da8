import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Point } from './aligned.ts'

/** The difference looked at, by the key of its item. `at`: its place among the points. */
type Place = { item: string | null; key: string | null; at: number }
/** Where to go as soon as the points of the item are known: its first point or, backwards, its last one. */
type Request = { item: string; by: 1 | -1 } | null

type StepsOf = {
  pane: RefObject<HTMLElement | null>
  item: string | null
  /** null: not read yet. */
  points: readonly Point[] | null
  /** The items before and after, cyclic. */
  neighbour: (by: 1 | -1) => string | null
  onItem: (id: string) => void
}

/** Goes from difference to difference, across items, and focuses them. */
export function useSteps({ pane, item, points, neighbour, onItem }: StepsOf) {
  const [place, setPlace] = useState<Place>({ item: null, key: null, at: 0 })
  const [request, setRequest] = useState<Request>(null)
  const [focus, setFocus] = useState<{ key: string } | null>(null)

  if (request && points && request.item === item && points.length > 0) {
    setRequest(null)
    go(points, endOf(points, request.by), true)
  }
  // What was taken is no difference any more: the next one takes its place.
  const isGone = points !== null && place.item === item && place.key !== null && indexOf(points, place.key) < 0
  if (isGone) go(points, Math.min(place.at, points.length - 1), false)

  useLayoutEffect(() => {
    if (!focus) return
    const element = pane.current?.querySelector<HTMLElement>(`[data-point="${CSS.escape(focus.key)}"]`)
    element?.focus()
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [focus, pane])

  function go(all: readonly Point[], at: number, focuses: boolean) {
    const key = all[at]?.key ?? null
    setPlace({ item, key, at: Math.max(0, at) })
    if (focuses && key !== null) setFocus({ key })
  }

  function step(by: 1 | -1) {
    // An item that is still read is not passed over.
    if (!points) return setRequest(item === null ? null : { item, by })
    const at = current ? indexOf(points, current.key) + by : endOf(points, by)
    if (at >= 0 && at < points.length) return go(points, at, true)
    const next = neighbour(by)
    if (next === null) return
    if (next === item) return go(points, endOf(points, by), true)
    setRequest({ item: next, by })
    onItem(next)
  }

  const current = (place.item === item && points?.find(({ key }) => key === place.key)) || null
  return {
    current,
    step,
    choose: (key: string) => points && go(points, indexOf(points, key), false),
  }
}

function endOf(points: readonly Point[], by: 1 | -1): number {
  return by > 0 ? 0 : points.length - 1
}

function indexOf(points: readonly Point[], key: string): number {
  return points.findIndex(point => point.key === key)
}
