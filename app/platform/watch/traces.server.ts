import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { IncomingHttpHeaders } from "node:http";

interface Named {
  name: string;
  attributes?: Attributes;
}

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT. The SDK is loaded only here, and reads
 * the other OTEL_ variables itself. The result flushes and ends it.
 */
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

/** A span of a request, below the one of a proxy that sends `traceparent`. */
export function inRequestSpan<T>(headers: IncomingHttpHeaders, run: (span: Span) => T): T {
  const parent = propagation.extract(context.active(), headers);
  const span = tracer().startSpan("HTTP", { kind: SpanKind.SERVER }, parent);
  return context.with(trace.setSpan(parent, span), () => run(span));
}

/** A span of its own, as a job has. */
export function inNewSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { kind: SpanKind.CONSUMER }, (span) => ended(span, run));
}

/** Part of the current span; without one, as between requests, nothing is recorded. */
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
    // Without its message, which may quote a value.
    const type = error instanceof Error ? error.name : "error";
    span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
