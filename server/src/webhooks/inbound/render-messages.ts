export interface RenderRequest {
  id: number
  engine: 'liquid' | 'mustache'
  template: string
  body: Record<string, unknown>
}

export type RenderAnswer = { id: number; text: string } | { id: number; error: string }

/** Told once the engines are loaded. */
export const READY = 'ready'
