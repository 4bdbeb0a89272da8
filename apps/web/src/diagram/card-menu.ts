import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { AppWindow, ExternalLink, Spline } from 'lucide-react'
import { type Command, isVisible, labelOf, whyDisabled } from '../commands/command.ts'
import type { AppContext, EntityTarget } from '../commands/context.ts'
import { entriesOf } from '../commands/entries.ts'
import { commandsAt, type Place } from '../commands/registry.ts'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { arrangeCommands, type DiagramContext, showCommands, zoomCommands } from './diagram-commands.ts'
import { diagramKeys } from './diagram-keys.ts'

const { menu: texts } = handTexts

const shortcuts: Readonly<Record<string, string>> = {
  'diagram.neighbourhood1': diagramKeys.neighbourhood.shortcut,
  'diagram.way': diagramKeys.way.shortcut,
  'diagram.hide': diagramKeys.hide.shortcut,
  'diagram.showAll': diagramKeys.showAll.shortcut,
  'diagram.fit': diagramKeys.fit.shortcut,
}

function withKeys<C extends { id: string }>(commands: readonly C[]): C[] {
  return commands.map(command => {
    const shortcut = shortcuts[command.id]
    return shortcut === undefined ? command : { ...command, shortcut }
  })
}

export type CardMenu = {
  context: DiagramContext
  app: AppContext
  /** 'tree' or 'admin': whose commands for an entity are offered. */
  place: Place
  target: EntityTarget
  /** The chosen entities, if there are several and the card is one of them. */
  chosen: readonly EntityTarget[]
  /** Why no relationship can be drawn. */
  locked: string | null
  relate: () => void
  open: (beside: boolean) => void
}

/** The menu of a card: the commands of the diagram, then those that the tree has for the entity. */
export function cardEntries({ context, app, place, target, chosen, locked, relate, open }: CardMenu): MenuEntry[] {
  const missing = target.id < 1 && handTexts.relate.missing(target.name)
  const keys = diagramKeys
  return [
    item('open', keys.open, { icon: ExternalLink, disabled: missing, run: () => open(false) }),
    item('openBeside', keys.openBeside, { icon: AppWindow, disabled: missing, run: () => open(true) }),
    item('relate', keys.relate, { icon: Spline, disabled: missing || (locked ?? false), run: relate }),
    { kind: 'separator', id: 'shown' },
    ...shownEntries(context),
    { kind: 'separator', id: 'entity' },
    ...(missing ? [] : entriesOf(commandsOn(commandsAt(place), app, chosen), { ...app, target })),
  ]
}

/** The commands of an entity; those that several entities have too act on all chosen ones. */
export function commandsOn(
  commands: readonly Command<AppContext>[],
  app: AppContext,
  chosen: readonly EntityTarget[],
): readonly Command<AppContext>[] {
  if (chosen.length < 2) return commands
  const context: AppContext = { ...app, target: { kind: 'entities', entities: chosen } }
  return commands.map(command => {
    if (!isVisible(command, context)) return command
    return {
      ...command,
      label: labelOf(command, context),
      visible: () => true,
      disabled: () => whyDisabled(command, context),
      run: () => command.run(context),
    }
  })
}

type ComparedMenu = Pick<CardMenu, 'context'> & { openLabel: string; open: () => void }

/** The menu of a card in a comparison. */
export function comparedEntries({ context, openLabel, open }: ComparedMenu): MenuEntry[] {
  return [
    item('open', { ...diagramKeys.open, label: openLabel }, { icon: ExternalLink, run: open }),
    { kind: 'separator', id: 'shown' },
    ...shownEntries(context),
  ]
}

/** What is shown beside a card, and where. */
function shownEntries(context: DiagramContext): MenuEntry[] {
  const arranging = arrangeCommands.map(command => ({ ...command, submenu: texts.arrange, group: 'arrange' }))
  return entriesOf([...withKeys(showCommands), ...arranging], context)
}

type Item = Omit<Extract<MenuEntry, { kind: 'item' }>, 'kind' | 'id' | 'label' | 'shortcut'>

function item(id: string, key: { label: string; shortcut: string }, rest: Item): MenuEntry {
  return { kind: 'item', id: `diagram.${id}`, ...key, ...rest }
}

/** The menu of the ground between cards. */
export function groundEntries(context: DiagramContext): MenuEntry[] {
  const commands = [...zoomCommands, ...showCommands, ...arrangeCommands]
  const ids = new Set(['diagram.fit', 'diagram.showAll', 'diagram.arrange.all'])
  return entriesOf(
    withKeys(commands).filter(({ id }) => ids.has(id)),
    context,
  )
}
