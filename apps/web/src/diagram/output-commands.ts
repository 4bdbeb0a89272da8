import { canvasTexts } from '@cadmus/model/messages/diagram-canvas'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { Download, Image, Printer } from 'lucide-react'
import { saveFile } from '../api/download.ts'
import { messageOf } from '../api/error.ts'
import type { Command } from '../commands/command.ts'
import { notify } from '../ui/notices.ts'
import type { DiagramContext } from './diagram-commands.ts'
import type { DiagramState } from './diagram-state.ts'
import { countTexts } from './differences.ts'

const { output: texts } = viewTexts
const load = () => import('./canvas/export.ts')
type Exports = Awaited<ReturnType<typeof load>>
type Exported = Parameters<Exports['svgOf']>[0]

/** Files and paper: of the chosen entities if there are any, else of all that are shown. */
export const outputCommands: readonly Command<DiagramContext>[] = [
  {
    id: 'diagram.svg',
    label: ({ state }) => texts.svg(isOfChoice(state)),
    icon: Download,
    group: 'output',
    run: context =>
      exported(context, ({ svgOf }, sheet) =>
        saveFile(new Blob([svgOf(sheet)], { type: 'image/svg+xml' }), `${sheet.title}.svg`),
      ),
  },
  {
    id: 'diagram.png',
    label: ({ state }) => texts.png(isOfChoice(state)),
    icon: Image,
    group: 'output',
    run: context =>
      exported(context, async ({ mostPixels, pngOf }, sheet) => {
        const { blob, scale } = await pngOf(sheet)
        saveFile(blob, `${sheet.title}.png`)
        if (scale < 1) notify('info', canvasTexts.reduced(mostPixels, Math.max(1, Math.round(scale * 100))))
      }),
  },
  {
    id: 'diagram.print',
    label: ({ state }) => texts.print(isOfChoice(state)),
    icon: Printer,
    group: 'output',
    run: context => exported(context, ({ printDiagram }, sheet) => printDiagram(sheet)),
  },
]

function isOfChoice({ picture: { chosen, hidden } }: DiagramState): boolean {
  return [...chosen].some(card => !hidden.has(card))
}

/** Differences of what is exported. */
function shownMarks(state: DiagramState) {
  const { chosen, hidden } = state.picture
  const isOf = isOfChoice(state) ? (card: number) => chosen.has(card) : () => true
  return new Map([...state.cards.differences.cards].filter(([card]) => !hidden.has(card) && isOf(card)))
}

async function exported(
  { store, label }: DiagramContext,
  output: (exports: Exports, sheet: Exported) => void | Promise<void>,
): Promise<void> {
  try {
    const { picture } = store.get()
    const cards = isOfChoice(store.get()) ? { cards: picture.chosen } : {}
    const legend = countTexts(shownMarks(store.get()))
    const [exports] = await Promise.all([load(), store.loadRows(cards.cards ?? picture.scene.uids.keys())])
    await output(exports, { picture: store.get().picture, title: label, legend, ...cards })
  } catch (failure) {
    notify('error', messageOf(failure, texts.failed))
  }
}
