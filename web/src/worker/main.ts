import { takePushes } from './pushes.js'
import { keepSubscription } from './resubscribe.js'
import type { WorkerScope } from './scope.js'
import { type Build, serveShell } from './shell.js'

/** Filled in by the build. */
declare const BUILD: Build

const scope = self as unknown as WorkerScope
serveShell(scope, BUILD)
takePushes(scope)
keepSubscription(scope)
