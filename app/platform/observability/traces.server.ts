import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";

interface Named {
  name: string;
  attributes?: Attributes;
}

// Sends spans to OTEL_EXPORTER_OTLP_ENDPOINT. The SDK is loaded only here, and reads the other
// OTEL_ variables itself. The returned function flushes and ends it.
export async function startTraces(): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const name = process.env.OTEL_SERVICE_NAME ?? "kickabout";
  const provider = new sdk.NodeTracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ "service.name": name })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return () => provider.shutdown();
}

const tracer = () => trace.getTracer("kickabout");

export function inRequestSpan<T>(traceparent: unknown, run: (span: Span) => T): T {
  const span = startRequestSpan(typeof traceparent === "string" ? traceparent : "");
  return context.with(trace.setSpan(ROOT_CONTEXT, span), () => run(span));
}

// Sampled as if it had no parent: anybody may have sent the proxy that header and its flag. A span
// that is never ended is never sent.
function startRequestSpan(traceparent: string): Span {
  const options = { kind: SpanKind.SERVER };
  const own = tracer().startSpan("HTTP", options, ROOT_CONTEXT);
  const parent = own.isRecording() ? parseTraceparent(traceparent) : null;
  if (!parent) return own;
  return tracer().startSpan("HTTP", options, trace.setSpanContext(ROOT_CONTEXT, parent));
}

/** Ignores `tracestate` and `baggage`, which may hold any text. */
function parseTraceparent(text: string): SpanContext | null {
  const [, traceId = "", spanId = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text) ?? [];
  const parent = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.isSpanContextValid(parent) ? parent : null;
}

export function inNewSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { kind: SpanKind.CONSUMER }, (span) => ended(span, run));
}

export function inSpan<T>(describe: () => Named, run: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return run();
  const { name, attributes = {} } = describe();
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return ended(span, run);
}

async function ended<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // No message, which may quote a value.
    const type = error instanceof Error ? error.name : "error";
    span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
