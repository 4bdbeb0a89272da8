// Custom grid: cards handle keys like rows.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useHosting } from '../../api/instance-calls.ts'
import { useFollowedBuilds, type PackageItem } from '../../api/packages.ts'
import { runCommand, type Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { shortcutOf } from '../../commands/keys.ts'
import { commandsAt } from '../../commands/registry.ts'
import { useCommands } from '../../commands/scope.ts'
import { ContextMenu } from '../../ui/ContextMenu.tsx'
import { PackageCard } from './PackageCard.tsx'
import { HostingFailures } from './RunState.tsx'
import { cardAfter, shownVersion, type PackageVersion } from './versions.ts'
import styles from './Packages.module.css'

export type PackageListProps = {
  packages: readonly PackageItem[]
  context: AppContext
  /** Single column without frames, for the sidebar. */
  dense: boolean
}

/** Cards with arrow-key navigation and a context menu. The last focused card determines the palette commands. */
export function PackageList({ packages, context, dense }: PackageListProps) {
  const list = useRef<HTMLTableElement>(null)
  const [focusedId, setFocusedId] = useState<number | null>(null)
  const [versions, setVersions] = useState<ReadonlyMap<number, string>>(new Map())
  const cards = packages.flatMap(item => shownVersion(item, versions.get(item.id)) ?? [])
  const at = Math.max(
    0,
    cards.findIndex(card => card.package.id === focusedId),
  )
  useFollowedBuilds(packages)
  const { hosting, failure } = useHosting()
  useOffers(cards[at] ?? null, context)
  useRestoredFocus(
    list,
    cards.map(card => card.package.id),
    focusedId,
  )

  function key(event: KeyboardEvent<HTMLElement>, index: number) {
    const card = cards[index]
    if (!card || event.target !== event.currentTarget) return
    const next = cardAfter(event.key, index, cards.length)
    const shortcut = shortcutOf(event)
    const command = commandsAt('package').find(one => one.shortcut === shortcut)
    if (next === null && !command) return
    event.preventDefault()
    if (next !== null) cardsIn(list.current)[next]?.focus()
    else if (command) runCommand(command, contextOf(context, card))
  }

  const readError = failure
    ? [...hosting, { name: 'the instances', instanceUrl: '', packages: undefined, failure }]
    : hosting
  return (
    <>
      <HostingFailures hosting={readError} />
      <ContextMenu
        render={
          <table
            ref={list}
            role="grid"
            aria-label="Packages"
            aria-rowcount={cards.length}
            className={dense ? styles['rows'] : styles['cards']}
          >
            <tbody>
              {cards.map((card, index) => (
                <PackageCard
                  key={card.package.id}
                  shown={card}
                  hosting={hosting}
                  context={context}
                  position={index + 1}
                  focusable={index === at}
                  onFocus={() => setFocusedId(card.package.id)}
                  onKey={event => key(event, index)}
                  onVersion={version => setVersions(new Map(versions).set(card.package.id, version))}
                />
              ))}
            </tbody>
          </table>
        }
        entriesFor={id => {
          const card = cards.find(one => String(one.package.id) === id)
          return card ? entriesOf(commandsAt('package'), contextOf(context, card)) : []
        }}
      />
    </>
  )
}

function contextOf(context: AppContext, shown: PackageVersion): AppContext {
  return { ...context, target: { kind: 'package', ...shown } }
}

/** Adds the card's commands to the palette, without their shortcuts: those belong to the card. */
function useOffers(shown: PackageVersion | null, context: AppContext): void {
  const commands = useMemo(() => commandsAt('package').map(withoutKey), [])
  const { package: item, build } = shown ?? {}
  const offered = useMemo(
    () => (item && build ? contextOf(context, { package: item, build }) : null),
    [context, item, build],
  )
  useCommands(commands, offered)
}

function withoutKey({ shortcut: _, ...command }: Command<AppContext>): Command<AppContext> {
  return command
}

/** Moves the focus to the next card when the focused one is removed. */
function useRestoredFocus(list: RefObject<HTMLElement | null>, ids: readonly number[], focusedId: number | null): void {
  const focusedAt = useRef(-1)
  const at = focusedId === null ? -1 : ids.indexOf(focusedId)
  useLayoutEffect(() => {
    const isLost = at < 0 && focusedAt.current >= 0 && document.activeElement === document.body
    if (at >= 0) focusedAt.current = at
    else if (isLost) cardsIn(list.current)[Math.min(focusedAt.current, ids.length - 1)]?.focus()
  }, [list, at, ids.length])
}

function cardsIn(list: HTMLElement | null): HTMLElement[] {
  return list ? [...list.querySelectorAll<HTMLElement>('tr')] : []
}
