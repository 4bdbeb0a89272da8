# Calls a SOAP service with zeep: the address of its WSDL, the name of a binding, and calls as JSON on standard input; answers as JSON.
import json, sys
from decimal import Decimal
import zeep
from zeep.helpers import serialize_object

def plain(value):
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, Decimal):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

client = zeep.Client(sys.argv[1], settings=zeep.Settings(strict=True))
service = client.bind(sys.argv[2], sys.argv[3])
answers = []
for call in json.load(sys.stdin):
    try:
        answers.append({'answer': plain(serialize_object(service[call['operation']](**call['args']), dict))})
    except zeep.exceptions.Fault as fault:
        answers.append({'fault': fault.message, 'code': fault.code})
json.dump(answers, sys.stdout)
