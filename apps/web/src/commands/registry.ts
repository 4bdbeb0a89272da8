import type { AppContext } from './context.ts'
import type { Command } from './command.ts'

/**
 * Place that offers a command. 'tree': context menu of the Project Navigator. 'library': context menu of the CDM
 * Library view. 'admin': context menu of the administration's tree. 'row': shortcuts of rows, without a menu. 'new':
 * New menu. 'toolbar': icons of the top bar. 'package': context menu of a package. 'card': buttons on a package card.
 * 'theme': theme menu of a package card. 'profile': menu of the signed-in user. 'palette': command palette.
 */
export type Place =
  | 'tree'
  | 'row'
  | 'library'
  | 'admin'
  | 'package'
  | 'card'
  | 'new'
  | 'toolbar'
  | 'theme'
  | 'profile'
  | 'palette'

export type Registered = { command: Command<AppContext>; places: readonly Place[]; order: number }

const registered = new Map<string, Registered>()

/** Registers a command at the start of the page. Lower `order` comes first. */
export function registerCommand(command: Command<AppContext>, places: readonly Place[], order: number): void {
  registered.set(command.id, { command, places, order })
}

/** Commands of a place in order; the renderer checks visibility. */
export function commandsAt(place: Place): readonly Command<AppContext>[] {
  return inOrder(entry => entry.places.includes(place))
}

export function allCommands(): readonly Command<AppContext>[] {
  return inOrder(() => true)
}

/** The command with that id; undefined if no feature registered it. */
export function commandById(id: string): Command<AppContext> | undefined {
  return registered.get(id)?.command
}

/** Compares by code unit because locale data would delay the first paint, and ids are ASCII. */
function inOrder(matches: (entry: Registered) => boolean): readonly Command<AppContext>[] {
  return [...registered.values()]
    .filter(matches)
    .toSorted((one, other) => one.order - other.order || (one.command.id < other.command.id ? -1 : 1))
    .map(entry => entry.command)
}
